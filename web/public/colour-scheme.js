/*
 * Sets the colour scheme before the first paint, so that a reload in the dark never flashes white. The build puts it into
 * the page itself (build/first-screen.ts). The key and the attribute are
 * those of src/app/theme/theme.ts.
 */
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('colour-mode') || 'system'
  } catch (error) {
    console.debug('No stored colour mode', error)
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-scheme', dark ? 'dark' : 'light')
})()
