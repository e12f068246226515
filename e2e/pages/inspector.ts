// The inspector as a test sees it: by roles and by what the page says of itself, not by its markup.

import { expect, type Locator, type Page } from "@playwright/test";

export class InspectorPage {
  readonly page: Page;
  readonly verdict: Locator;
  readonly graph: Locator;
  readonly panel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.verdict = page.getByTestId("verdict");
    this.graph = page.getByRole("application", { name: /causal graph/i });
    this.panel = page.getByTestId("entry-panel");
  }

  /** Waits until every signature has been checked. */
  async verified(): Promise<void> {
    await expect(this.verdict.locator('[data-level="verified"]')).toBeVisible();
    await expect(this.page.getByTestId("inspector")).toHaveAttribute("data-working", "false");
  }

  sentence(): Locator {
    return this.verdict.getByRole("heading", { level: 1 });
  }

  async tab(name: "Graph" | "Chains" | "Why" | "Evidence" | "Records"): Promise<void> {
    await this.page.getByRole("tab", { name }).click();
  }

  /** One named check of the selected entry. */
  check(name: string): Locator {
    return this.panel.locator(`[data-check="${name}"]`);
  }

  /** What the page says of the verdict that the link claims. */
  audit(): Locator {
    return this.page.locator("[data-audit]");
  }

  async shareLink(): Promise<string> {
    await this.page.getByRole("button", { name: "Share" }).click();
    const link = await this.page.getByTestId("audit-link").textContent();
    await this.page.getByRole("button", { name: "Close", exact: true }).click();
    return link ?? "";
  }

  /** Gives a file to the search bar, as a drop does. */
  async bring(name: string, text: string): Promise<void> {
    await this.page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name, mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  }
}
