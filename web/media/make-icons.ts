import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../e2e/browser.ts'
import { light } from '../src/app/theme/tokens.ts'
import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'

/** `node web/media/make-icons.ts` draws the app icons from the logo and the theme tokens. */
const folder = fileURLToPath(new URL('../public/icons', import.meta.url))

const { background, text } = light.brand

/** `share`: the logo's share of the width. `corner`: the corner radius of the background, in units of a 32 px grid. */
const drawing = ({ share, corner }: { share: number; corner: number }): string => {
  const margin = (32 * (1 - share)) / 2
  const ribbons = ribbonPaths.map((d) => `<path d="${d}"/>`).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${corner}" fill="${background}"/>` +
    `<g fill="${text}" transform="translate(${margin} ${margin}) scale(${share})">${ribbons}<path d="${foldPath}" opacity=".62"/></g></svg>`
  )
}

const rounded = drawing({ share: 0.68, corner: 7 })
// A phone crops maskable icons. Only the inner four fifths of the width are safe.
const full = drawing({ share: 0.52, corner: 0 })

const pictures = [
  { name: 'icon-192.png', svg: rounded, px: 192 },
  { name: 'icon-512.png', svg: rounded, px: 512 },
  { name: 'maskable-192.png', svg: full, px: 192 },
  { name: 'maskable-512.png', svg: full, px: 512 },
  { name: 'apple-touch-icon.png', svg: full, px: 180 },
]

/** An .ico file with one PNG image of 32 px, for clients that request /favicon.ico without reading the page. */
const icoOf = (png: Buffer): Buffer => {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.set([32, 32, 0, 0, 1, 0, 32, 0], 6)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'icon.svg'), rounded)
const browser = await launchBrowser()
const draw = async (svg: string, px: number): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: { width: px, height: px } })
  await page.setContent(`<style>html,body{margin:0}svg{display:block;width:${px}px;height:${px}px}</style>${svg}`)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}
for (const { name, svg, px } of pictures) await writeFile(join(folder, name), await draw(svg, px))
await writeFile(join(folder, '../favicon.ico'), icoOf(await draw(rounded, 32)))
await browser.close()
