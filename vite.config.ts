import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressedFiles } from "./scripts/compressed-files.ts";
import { chunkOf } from "./scripts/page-chunks.ts";
import { pagePolicy } from "./scripts/page-policy.ts";
import { preloads } from "./scripts/preloads.ts";
import { reportTemplate } from "./scripts/report-template.ts";

export default defineConfig({
  plugins: [react(), reportTemplate(), preloads(), pagePolicy(), compressedFiles()],
  base: "./",
  build: {
    target: "es2022",
    outDir: "dist/app",
    emptyOutDir: true,
    sourcemap: false,
    // One style sheet, of 10 kB as it is sent: many small ones would each be waited for.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: "pages" }],
        },
      },
    },
  },
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
