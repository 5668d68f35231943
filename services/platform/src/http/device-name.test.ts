import { expect, it } from 'vitest'
import { deviceNameOf } from './device-name.ts'

const mozilla = 'Mozilla/5.0'
const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  ['Chrome on Android', `${mozilla} (Linux; Android 10; K) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`],
  [
    'Samsung Internet on Android',
    `${mozilla} (Linux; Android 10; K) ${webKit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Edge on Windows',
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
  ],
  [
    'Opera on Windows',
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webKit} Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0`,
  ],
  ['Chrome on ChromeOS', `${mozilla} (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/140.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `${mozilla} (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0.0.0 Safari/537.36`],
  ['Firefox on Linux', `${mozilla} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`],
  ['Safari on Mac', `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/18.6 Safari/605.1.15`],
  [
    'Safari on iPhone',
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Version/18.6 Mobile/15E148 Safari/604.1`,
  ],
  [
    'Chrome on iPhone',
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} CriOS/140.0 Mobile/15E148 Safari/604.1`,
  ],
  ['Firefox on iPad', `${mozilla} (iPad; CPU OS 18_6 like Mac OS X) ${safari} FxiOS/143.0 Mobile/15E148 Safari/604.1`],
  ['A browser on iPhone', `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Mobile/15E148`],
  ['A browser', 'curl/8.5.0'],
  ['A browser', undefined],
  ['A browser', `${'x'.repeat(500)} Firefox/143.0`],
])('names a device by browser and system: %s', (name, userAgent) => expect(deviceNameOf(userAgent)).toBe(name))
