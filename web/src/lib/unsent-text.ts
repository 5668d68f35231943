let isKept = false

/** Records whether a page that is no longer on the screen keeps unsent text in memory, where a reload would lose it. */
export const keepUnsentText = (kept: boolean): void => {
  isKept = kept
}

const typedFields = 'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"])'

/** Whether a reload would lose text: in a field on the screen, or kept by a page that the reader comes back to. */
export const hasUnsentText = (): boolean =>
  isKept || [...document.querySelectorAll(typedFields)].some((field) => 'value' in field && field.value !== '')
