/**
 * The texts of the style elements that the client's scripts add. The content security policy of its pages allows these, and those that
 * the build has written, by their hashes. Emotion adds empty ones, and then rules, which the policy does not concern.
 */
export const scriptedStyles = {
  emotion: '',
  /** MUI's, while the color scheme changes. */
  transitionsOff:
    '*{-webkit-transition:none!important;-moz-transition:none!important;-o-transition:none!important;-ms-transition:none!important;transition:none!important}',
} as const
