import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { socketEvents } from '@portal/contracts/notifications/socket'
import { knownApis } from '../browsers/lacking.ts'
import { type Browser, type BrowserContext, chromium, type Page, type Request, type WebSocket } from 'playwright-core'

/** The installed Chromium, or the one that `make test` installed. */
const browserPath = (): string => {
  const candidates = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  const found = candidates.find((path) => path !== undefined && existsSync(path))
  return found ?? chromium.executablePath()
}

export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * `shell`: without windows and their services, which takes a third less processor time. `whole`: as users have it, with the push
 * service and their rendering of fonts.
 */
export type BrowserKind = 'shell' | 'whole'

/** Two packages of Debian with the same version of Chromium. */
const debian: Readonly<Record<BrowserKind, string>> = {
  shell: '/usr/bin/chromium-headless-shell',
  whole: '/usr/bin/chromium',
}

/** Where no shell is installed, or another browser was chosen, the whole browser stands in. */
export const pathOf = (kind: BrowserKind): string => {
  const whole = browserPath()
  return kind === 'shell' && whole === debian.whole && existsSync(debian.shell) ? debian.shell : whole
}

export const launchBrowser = (kind: BrowserKind = 'shell', hasBackForwardCache = false): Promise<Browser> =>
  chromium.launch({
    executablePath: pathOf(kind),
    args: browserArguments,
    ...(hasBackForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  })

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }

const openingPacket = /^0\{"sid":"([^"]+)"/
const gateways = new WeakMap<Page, string>()

/** The gateway of the page's last socket, from the prefix of the connection id. */
export const gatewayOf = (page: Page): string | undefined => gateways.get(page)

/** Call before a reload, so that `gatewayOf` returns only the gateway of the new connection. */
export const clearGateway = (page: Page): boolean => gateways.delete(page)

const trackGateway = (page: Page): void => {
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const id = openingPacket.exec(payload.toString())?.[1]
      if (id !== undefined) gateways.set(page, id.includes('.') ? (id.split('.')[0] ?? '') : 'the only one')
    })
  })
}

type Traffic = {
  /** Open sockets over which the page has reported its visibility. By then it has also refetched its data. */
  readonly connections: Set<WebSocket>
  /** Pending requests. */
  readonly calls: Set<Request>
}
const trafficByPage = new WeakMap<Page, Traffic>()

/** Whether the socket is connected and no request is pending. From then on, only socket messages and input cause requests. */
export const isIdle = (page: Page): boolean => {
  const traffic = trafficByPage.get(page)
  return traffic !== undefined && traffic.connections.size > 0 && traffic.calls.size === 0
}

const trackTraffic = (page: Page): void => {
  const { connections, calls }: Traffic = { connections: new Set(), calls: new Set() }
  trafficByPage.set(page, { connections, calls })
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (payload.toString().startsWith(`42["${socketEvents.tabVisibility}"`)) connections.add(socket)
    })
    socket.on('close', () => connections.delete(socket))
  })
  page.on('request', (request) => {
    // A document that is left reports neither that its sockets close nor that its requests end.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      connections.clear()
      calls.clear()
    }
    calls.add(request)
  })
  page.on('requestfinished', (request) => calls.delete(request))
  page.on('requestfailed', (request) => calls.delete(request))
}

/** An error in the console, or an uncaught one, with its location. */
export type ConsoleError = { readonly text: string; readonly where: string }

/** The browser looks for a newer service worker when it likes, also while a test has stopped the portal or the network. */
const workerCheckFailed = 'An unknown error occurred when fetching the script.'

/** Opens a page and records each uncaught error and each error in its console. */
export const openPage = async (context: BrowserContext, consoleErrors: ConsoleError[]): Promise<Page> => {
  const page = await context.newPage()
  trackGateway(page)
  trackTraffic(page)
  page.on('pageerror', (error) => consoleErrors.push({ text: String(error), where: page.url() }))
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text() === workerCheckFailed) return
    consoleErrors.push({ text: message.text(), where: `${message.location().url}, on ${page.url()}` })
  })
  return page
}

/**
 * How learners have the pages: as built, translated by the browser, in the oldest supported browsers at once, or kept while
 * another page is open, for Back.
 */
const pageStates = ['as-built', 'translated', 'old', 'kept'] as const
export type PageState = (typeof pageStates)[number]

/** The state that the setting PAGES names; pages as built without one. */
export const pageStateOf = (name: string | undefined): PageState =>
  pageStates.find((state) => state === name) ?? 'as-built'

const scriptOf: Readonly<Record<PageState, () => string>> = {
  'as-built': () => '',
  kept: () => `addEventListener('pageshow', ({ persisted }) => { globalThis.wasKept = persisted })`,
  translated: () => readFileSync(join(import.meta.dirname, 'translate-page.js'), 'utf8'),
  old: () => {
    const lacking = knownApis.filter(({ isSupported }) => !isSupported)
    const script = readFileSync(join(import.meta.dirname, 'take-away-apis.js'), 'utf8')
    return `{ const lackingApis = ${JSON.stringify(lacking)};\n${script} }`
  },
}

/** Brings the pages of the context into the state. */
export const preparePages = async (context: BrowserContext, state: PageState): Promise<void> => {
  await context.addInitScript({ content: scriptOf[state]() })
}
