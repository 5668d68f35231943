import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../e2e/browser.ts'
import { light } from '../src/app/theme/tokens.ts'
import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'

/** Draws the icons of the installed portal from the mark and the tokens: `node web/media/make-icons.ts`. */
const folder = fileURLToPath(new URL('../public/icons', import.meta.url))

const { ground, text } = light.cover

/** `share`: how much of the width the mark takes. `corner`: of the 32 units, how round the ground is. */
const drawing = ({ share, corner }: { share: number; corner: number }): string => {
  const margin = (32 * (1 - share)) / 2
  const ribbons = ribbonPaths.map((d) => `<path d="${d}"/>`).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${corner}" fill="${ground}"/>` +
    `<g fill="${text}" transform="translate(${margin} ${margin}) scale(${share})">${ribbons}<path d="${foldPath}" opacity=".62"/></g></svg>`
  )
}

const rounded = drawing({ share: 0.68, corner: 7 })
// A phone cuts these to its own shape; what lies within four fifths of the width stays.
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
