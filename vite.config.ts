import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { pagePolicy } from "./scripts/page-policy.ts";
import { reportTemplate } from "./scripts/report-template.ts";

export default defineConfig({
  plugins: [react(), reportTemplate(), pagePolicy()],
  base: "./",
  build: { target: "es2022", outDir: "dist/app", emptyOutDir: true, sourcemap: false },
  worker: { format: "es" },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    // Tests that need a program which this machine lacks; scripts/test.mjs names them.
    exclude: (process.env["COOP_LEFT_OUT"] ?? "").split(",").filter((pattern) => pattern !== ""),
    environment: "node",
    // On two cores vitest would leave one idle.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
