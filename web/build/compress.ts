import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:html|js|css|svg|webmanifest)$/
const minBytes = 1024

/**
 * Writes a .br and a .gz file beside each larger text file. The gateway serves them to clients that accept them. It runs when the
 * bundle is closed, because the service worker is built after the bundle.
 */
export const compress = (extraFiles: readonly string[]): Plugin => {
  let folder: string | undefined
  let fileNames: readonly string[] = []
  return {
    name: 'portal-compress',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir }, bundle) {
      folder = dir
      fileNames = Object.keys(bundle)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        if (error) return
        if (folder === undefined) throw new Error('The build has no output folder')
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        for (const fileName of [...fileNames, ...extraFiles]) {
          if (!compressible.test(fileName)) continue
          const file = join(folder, fileName)
          const text = readFileSync(file)
          if (text.length < minBytes) continue
          writeFileSync(`${file}.br`, brotliCompressSync(text, { params: quality }))
          writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
        }
      },
    },
  }
}
