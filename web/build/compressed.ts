import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Leaves a .br and a .gz beside each file that gains by it; the gateway serves them to whoever accepts them. From the files as
 * written: until then Vite still changes them.
 */
export const compressed = (): Plugin => ({
  name: 'portal-compressed',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    if (dir === undefined) throw new Error('The build has no folder to write to')
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    for (const fileName of Object.keys(bundle)) {
      if (!/\.(?:html|js|css|svg|webmanifest)$/.test(fileName)) continue
      const file = join(dir, fileName)
      const text = readFileSync(file)
      if (text.length < 1024) continue
      writeFileSync(`${file}.br`, brotliCompressSync(text, { params: quality }))
      writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
    }
  },
})
