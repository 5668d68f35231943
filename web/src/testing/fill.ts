import type { UserEvent } from '@testing-library/user-event'

/** Replaces the text of a field in one step. Typing renders the page several times for each character. */
export const fill = async (user: UserEvent, field: HTMLElement, text: string): Promise<void> => {
  await user.clear(field)
  await user.click(field)
  await user.paste(text)
}
