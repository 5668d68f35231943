import { expect, it } from 'vitest'
import { shortcutKeyOf } from './shortcut-key.ts'

const press = (key: string, code: string, shiftKey = false) => shortcutKeyOf({ key, code, shiftKey })

it.each([
  ['a Latin keyboard', 'j', 'KeyJ', 'j'],
  ['Caps Lock', 'J', 'KeyJ', 'j'],
  ['Dvorak, by what the key says', 'j', 'KeyC', 'j'],
  ['Hindi', 'र', 'KeyJ', 'j'],
  ['Russian', 'о', 'KeyJ', 'j'],
  ['a German keyboard', '-', 'Slash', '-'],
  ['Hindi, the key of the slash', 'य', 'Slash', '/'],
  ['Russian, the key of the slash', '.', 'Slash', '/'],
  ['a full stop elsewhere', '.', 'Period', '.'],
  ['an arrow', 'ArrowDown', 'ArrowDown', 'ArrowDown'],
])('[D5] %s', (_, key, code, expected) => expect(press(key, code)).toBe(expected))

it('[D5] with Shift', () => {
  expect(press('J', 'KeyJ', true)).toBe('')
  expect(press('?', 'Slash', true)).toBe('?')
  expect(press(',', 'Slash', true)).toBe('?')
  expect(press('/', 'Digit7', true)).toBe('/')
})
