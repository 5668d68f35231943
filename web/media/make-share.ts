import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../e2e/browser.ts'
import { fonts, light } from '../src/app/theme/tokens.ts'
import { hero } from '../src/features/landing/content.ts'
import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'

/** `node web/media/make-share.ts` draws the picture that a shared link shows, from the hero of the landing page. */
const target = fileURLToPath(new URL('../public/share.png', import.meta.url))
const size = { width: 1200, height: 630 }

const face = async (family: string, name: string): Promise<string> => {
  const file = fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`))
  const data = (await readFile(file)).toString('base64')
  return `@font-face{font-family:"${family}";font-weight:100 900;src:url(data:font/woff2;base64,${data})}`
}
const faces = await Promise.all([
  face('Bricolage Grotesque Variable', 'bricolage-grotesque'),
  face('Figtree Variable', 'figtree'),
])

const { background, text, mark, fold } = light.brand
const logo = (px: number, foldFill: string, opacity = 1): string =>
  `<svg viewBox="0 0 32 32" width="${px}" height="${px}" fill="currentColor">${ribbonPaths.map((d) => `<path d="${d}"/>`).join('')}` +
  `<path d="${foldPath}" fill="${foldFill}" opacity="${opacity}"/></svg>`

const html = `<style>${faces.join('')}
  body{margin:0;position:relative;overflow:hidden;box-sizing:border-box;width:1200px;height:630px;padding:72px 80px;background:${background};color:${text};font:500 34px/1.3 ${fonts.text}}
  .mark{position:absolute;right:-180px;top:-150px;color:${mark};transform:rotate(-12deg)}
  .name{position:relative;display:flex;align-items:center;gap:18px;font:700 36px/1 ${fonts.display};letter-spacing:-.02em}
  h1{position:relative;margin:64px 0 36px;font:700 124px/.98 ${fonts.display};letter-spacing:-.035em}
  p{position:relative;margin:0;max-width:26em}
</style><div class="mark">${logo(940, fold)}</div>
<div class="name">${logo(52, 'currentColor', 0.62)}Minor Programs</div>
<h1>${hero.title.slice(0, 2).join(' ')}<br>${hero.title.slice(2).join(' ')}</h1>
<p>${hero.figures.map(({ value, name }) => `${value} ${name}`).join(' · ')}</p>`

const browser = await launchBrowser()
const page = await browser.newPage({ viewport: size })
await page.setContent(html)
await page.evaluate('document.fonts.ready')
await writeFile(target, await page.screenshot())
await browser.close()
