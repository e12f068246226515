// The session inspector.

import type { Ref } from "../../core/values.ts";
import { Notice } from "../components/notice.tsx";

export interface InspectorPageProps {
  readonly session: Ref;
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

export default function InspectorPage({ session }: InspectorPageProps) {
  return <Notice kind="empty" title={session} />;
}
