/** Elements in which a key is text, or a letter of a type-ahead. */
const typingPlaces = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"], [role="combobox"]'

/** Whether a key pressed there is meant for a field, and not as a shortcut. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(typingPlaces) !== null
