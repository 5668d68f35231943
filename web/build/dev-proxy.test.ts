// @vitest-environment node
import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devProxy } from './dev-proxy.ts'

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
const routes = [auth, catalog, notifications].flatMap((contracts) => Object.values<unknown>(contracts).filter(isRoute))

let portal: Server
let vite: ViteDevServer
let address: string

beforeAll(async () => {
  portal = createServer(({ method, url }, response) => response.end(`portal: ${method} ${url}`))
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
  // The address of a server on a port is an AddressInfo.
  const { port } = portal.address() as AddressInfo
  vite = await createVite({
    configFile: false,
    logLevel: 'silent',
    root: new URL('../src/testing', import.meta.url).pathname,
    appType: 'custom',
    plugins: [
      {
        name: 'page',
        configureServer:
          ({ middlewares }) =>
          () =>
            void middlewares.use((_request: unknown, response: { end(text: string): void }) =>
              response.end('the page'),
            ),
      },
    ],
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, ws: false, watch: null, proxy: devProxy(`http://127.0.0.1:${port}`) },
  })
  await vite.listen()
  address = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
})
afterAll(async () => {
  await vite.close()
  portal.close()
})

const request = async (path: string, accept: string, method = 'GET') =>
  (await fetch(address + path, { method, headers: { accept } })).text()

describe('the development proxy', () => {
  it('forwards every API route to the portal, with its query', async () => {
    expect(routes.length).toBeGreaterThan(30)
    for (const { method, path } of routes) {
      const url = `${path.replaceAll(/:\w+/g, '0198')}?page=2&limit=10`
      expect(await request(url, 'application/json', method)).toBe(`portal: ${method} ${url}`)
    }
  })

  it.each(['/admin/programs', '/notifications?page=2', '/user/profile', '/programs/7'])(
    'serves the page when a browser navigates to %s',
    async (path) => {
      expect(await request(path, 'text/html,*/*')).toBe('the page')
    },
  )

  it.each(['/program-details-active/7', '/notification/7', '/users', '/administration', '/home?from=allprograms'])(
    'does not treat %s as an API route',
    async (path) => {
      expect(await request(path, '*/*')).toBe('the page')
    },
  )

  it.each(['/docs/', '/dev/outbox', '/health'])('forwards %s to the portal even for browsers', async (path) => {
    expect(await request(path, 'text/html')).toBe(`portal: GET ${path}`)
  })
})
