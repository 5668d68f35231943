import { nextTask } from '../lib/next-task.ts'

/**
 * Loads and starts the application once the page or its outline is on the screen, so that neither its scripts nor their execution compete
 * with the first paint and its font. The build inlines this file after the list of files (build/index-html.tsx).
 */

/** Addresses of the entry, of the requested page, and of what they import, each after its own imports. */
type ApplicationFiles = readonly string[]

declare global {
  /** Undefined once the application has started. */
  var applicationFiles: ApplicationFiles | undefined
  /** The address of polyfills.ts. */
  var polyfillsFile: string | undefined
}

/** Browsers got these last of what polyfills.ts adds. */
const lacksApis = (): boolean => !('any' in AbortSignal && 'canParse' in URL && 'withResolvers' in Promise)

/** A page in a background tab is not painted. */
const maxWaitMs = 1_000

/** To start a request takes a phone up to 6 ms. */
const requestInTurn = async (files: ApplicationFiles): Promise<void> => {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
    await nextTask()
  }
}

/**
 * Executes each file in a task of its own. If the first import executed them all, a phone would answer no tap for a third of a
 * second. A file that cannot be loaded is reported by the part of the application that needs it.
 */
const executeInTurn = async (files: ApplicationFiles): Promise<void> => {
  if (globalThis.polyfillsFile !== undefined && lacksApis()) await import(/* @vite-ignore */ globalThis.polyfillsFile)
  for (const file of files) {
    await import(/* @vite-ignore */ file)
    await nextTask()
  }
}

const failureText = 'This page could not be loaded. Please reload it.'

/** Without the application, the outline would stay for ever. */
const showFailure = (error: unknown): void => {
  console.warn('a file of the page failed to load', error)
  if (globalThis.applicationFiles === undefined) return
  const line = document.createElement('p')
  line.setAttribute('role', 'alert')
  line.style.padding = '24px'
  line.textContent = failureText
  document.body.replaceChildren(line)
}

let isStarted = false
const start = (): void => {
  const { applicationFiles } = globalThis
  if (isStarted || !applicationFiles) return
  isStarted = true
  void requestInTurn(applicationFiles)
  executeInTurn(applicationFiles).catch(showFailure)
}

// A form that the build has rendered would put what was typed into the address.
document.addEventListener('submit', (event) => {
  if (globalThis.applicationFiles) event.preventDefault()
})
// The outline that signed-in users see has no font to wait for.
if (globalThis.early?.session) start()
new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
setTimeout(start, maxWaitMs)
