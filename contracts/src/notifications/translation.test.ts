import { expect, it } from 'vitest'
import { campaignTextSchema } from './http.ts'

const text = { title: 'Exam', message: 'In room 12' }
const parse = (title: string) =>
  campaignTextSchema.safeParse({ ...text, translation: { lang: 'ur', title, message: 'کمرہ 12 میں' } })

it('takes a title in Urdu without the marks of direction that word processors add', () => {
  expect(parse('\u200F\u2068امتحان\u2069 12\u200E').data?.translation?.title).toBe('امتحان 12')
  expect(parse('\u200F').success).toBe(false)
  expect(campaignTextSchema.safeParse({ ...text, title: 'Exam\u200F' }).success).toBe(false)
})
