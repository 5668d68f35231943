// happy-dom's own API, which the DOM types do not have.
const { happyDOM: happyDom } = window as unknown as {
  readonly happyDOM: { setViewport: (viewport: { readonly width: number }) => void }
}

export const phonePx = 390
/** The width that tests start with. */
export const desktopPx = 1024

/** Resizes the window: media queries of styles and scripts follow. */
export const setWindowWidth = (px: number): void => happyDom.setViewport({ width: px })
