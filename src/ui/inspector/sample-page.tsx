// A session that comes with the app, opened by its name: a reload, a shared link and the back button show it again.

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { errorText } from "../../platform/coded-error.ts";
import { Button, LinkButton } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";

import { sampleQuery } from "../home/samples.ts";
import { to } from "../routing/routes.ts";
import { useSources, useStores } from "../services/stores.tsx";
import InspectorPage, { Waiting } from "./inspector-page.tsx";

export interface SamplePageProps {
  readonly name: string;
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

export default function SamplePage({ name, params, setParams }: SamplePageProps) {
  const { data: source, error, isPending, refetch } = useQuery(sampleQuery(name));
  const { sources } = useStores();
  useEffect(() => {
    if (source != null) sources.getState().add(source);
  }, [source, sources]);
  // A Hub is not asked for what is in the file: the page waits until the records are here.
  const isHeld = useSources((state) => source != null && state.bySession.has(source.session));
  if (isPending) return <Waiting label="Loading the example" />;
  if (error !== null)
    return (
      <Notice
        large
        kind="error"
        title="Loading the example failed"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {errorText(error)}
      </Notice>
    );
  if (source === null)
    return (
      <Notice
        large
        kind="warn"
        title="This link is not valid"
        action={<LinkButton href={to.home()}>Home</LinkButton>}
      >
        There is no example of that name. Home lists them.
      </Notice>
    );
  if (!isHeld) return null;
  return <InspectorPage session={source.session} params={params} setParams={setParams} />;
}
