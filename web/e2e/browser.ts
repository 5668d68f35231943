import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** The browser that `make test` has found or installed. */
export const browserPath = (): string => {
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

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath(), args: browserArguments })

export const phone = { width: 390, height: 844 }
export const desk = { width: 1280, height: 800 }

const openingPacket = /^0\{"sid":"([^"]+)"/
const gateways = new WeakMap<Page, string>()

/** Which gateway a page's socket was opened with last: it begins the id of the connection. */
export const gatewayOf = (page: Page): string | undefined => gateways.get(page)

/** Before a page is loaded again: what `gatewayOf` says afterwards is of the new connection. */
export const forgetGateway = (page: Page): boolean => gateways.delete(page)

const noteGateways = (page: Page): void => {
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const id = openingPacket.exec(payload.toString())?.[1]
      if (id !== undefined) gateways.set(page, id.includes('.') ? (id.split('.')[0] ?? '') : 'the only one')
    })
  })
}

/** What a page complained of, and where. */
export type Problem = { readonly text: string; readonly where: string }

/** A page that notes each uncaught error and each error in the console. */
export const openPage = async (context: BrowserContext, problems: Problem[]): Promise<Page> => {
  const page = await context.newPage()
  noteGateways(page)
  page.on('pageerror', (error) => problems.push({ text: String(error), where: page.url() }))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    problems.push({ text: message.text(), where: `${message.location().url}, on ${page.url()}` })
  })
  return page
}
