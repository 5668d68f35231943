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

await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'icon.svg'), rounded)
const browser = await launchBrowser()
for (const { name, svg, px } of pictures) {
  const page = await browser.newPage({ viewport: { width: px, height: px } })
  await page.setContent(`<style>html,body{margin:0}svg{display:block;width:${px}px;height:${px}px}</style>${svg}`)
  await page.screenshot({ path: join(folder, name), omitBackground: true })
  await page.close()
}
await browser.close()
