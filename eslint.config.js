import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "public", "test-results", "playwright-report", "scripts/consumer"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["**/*.mjs", "**/*.js"], extends: [tseslint.configs.recommended] },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: ["tsconfig.json"], tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/switch-exhaustiveness-check": "off",
    },
  },
  {
    // The compiler's rules look at components and hooks; a quarter of the lint's time would go to tests without any.
    files: ["src/ui/**/*.ts", "src/ui/**/*.tsx"],
    ignores: ["**/*.test.ts"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
);
