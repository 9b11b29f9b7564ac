// Dark or light: the system's choice until the reader makes one, which is then remembered.
import { button } from "./dom.ts";

type Theme = "light" | "dark";
const key = "plait-theme";

// Storage is refused in some browsers for pages opened from disk; then the choice lasts as long as the page.
function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    return;
  }
}

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export function applyRememberedTheme(): void {
  const theme = remembered();
  if (theme !== null) document.documentElement.dataset["theme"] = theme;
}

export function themeToggle(): HTMLButtonElement {
  const current = (): Theme => (document.documentElement.dataset["theme"] as Theme | undefined) ?? system();
  const show = (): void => {
    toggle.textContent = current() === "dark" ? "Light theme" : "Dark theme";
  };
  const toggle = button("", { class: "quiet", id: "theme" }, () => {
    const next: Theme = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    remember(next);
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  return toggle;
}
