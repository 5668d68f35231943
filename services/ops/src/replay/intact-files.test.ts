import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePidFile } from '@portal/platform/runtime/run-folder'
import { loadConfig } from '@portal/platform/settings/config'
import { expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../command.ts'
import { requireIntactFiles } from './intact-files.ts'

/** A running portal with this health. */
const portalWith = async (reasons: readonly string[]) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intact-'))
  const report = { status: reasons.length === 0 ? 'ok' : 'down', parts: {}, reasons }
  const server = createServer((_request, response) => response.end(JSON.stringify(report)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    rmSync(dataDir, { recursive: true })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  writePidFile(dataDir, 'portal').serves(`http://127.0.0.1:${address.port}`)
  return loadConfig({ DATA_DIR: dataDir })
}

it('a replay says what the portal says about a lost file, before it opens one', async () => {
  const line = '/data/read-models/inbox-main.db was deleted while it is in use: restart the portal'
  const replaying = requireIntactFiles(await portalWith(['event-store: full', `read-models: ${line}`]))
  await expect(replaying).rejects.toEqual(new CommandError(line))
})

it('a replay goes on while other parts are down, and without a running portal', async () => {
  const configs = [await portalWith(['event-store: full']), loadConfig({ DATA_DIR: join(tmpdir(), 'no-portal-here') })]
  await expect(Promise.all(configs.map(requireIntactFiles))).resolves.toBeDefined()
})
