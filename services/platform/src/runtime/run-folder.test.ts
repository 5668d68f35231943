import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { folderEngines, pidFileIn, recordFolderEngines, writePidFile } from './run-folder.ts'

it('records the process id and the address until it ends, and keeps the file of another process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pid-'))
  const file = pidFileIn(dataDir, 'gateway-1')
  const { serves, remove } = writePidFile(dataDir, 'gateway-1')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`)
  serves('http://localhost:4000')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\nhttp://localhost:4000\n`)
  writeFileSync(file, '1\n')
  remove()
  expect(readFileSync(file, 'utf8')).toBe('1\n')
  writePidFile(dataDir, 'gateway-1').remove()
  expect(() => readFileSync(file)).toThrow('ENOENT')
  rmSync(dataDir, { recursive: true })
})

it('reads the engines as a whole or not at all while another process replaces and removes them', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-'))
  const engines = { EVENT_STORE_URL: 'esdb://a', BUS_URL: 'kafka://b', READ_MODEL_URL: 'redis://c' }
  recordFolderEngines(dataDir, engines)
  const module = JSON.stringify(new URL('./run-folder.ts', import.meta.url).href)
  const source = `import(${module}).then(({ recordFolderEngines }) => {
    const { workerData, parentPort } = require('node:worker_threads')
    parentPort.postMessage('running')
    for (;;) for (const engines of [undefined, workerData.engines]) recordFolderEngines(workerData.dataDir, engines)
  })`
  const worker = new Worker(source, { eval: true, workerData: { dataDir, engines } })
  onTestFinished(async () => {
    await worker.terminate()
    rmSync(dataDir, { recursive: true })
  })
  await once(worker, 'message')
  for (let n = 0; n < 2_000; n++) expect([undefined, engines]).toContainEqual(folderEngines(dataDir))
})
