/*
 * Sets the colour scheme before the first paint, so that a reload in the dark never flashes white. A file of its own rather
 * than an inline script, so that a content security policy need not allow inline scripts. The key and the attribute are
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
