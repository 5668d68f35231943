import type { RememberedAnswers } from '@portal/platform/idempotency/port'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'

/** What every adapter of RememberedAnswers does. `open` returns two that share their memory, as two processes do. */
export const describeRememberedAnswers = (
  name: string,
  open: () => Promise<readonly [RememberedAnswers, RememberedAnswers]>,
): void => {
  describe(`remembered answers: ${name}`, () => {
    let one: RememberedAnswers
    let other: RememberedAnswers
    beforeAll(async () => {
      ;[one, other] = await open()
    })

    it('let one of many calls begin an action', async () => {
      const id = randomUUID()
      const begun = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).begin(id)))
      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
      expect(begun.filter(({ kind }) => kind === 'running')).toHaveLength(19)
    })

    it('give its answer to the others', async () => {
      const id = randomUUID()
      await one.begin(id)
      await one.remember(id, '{"a":"ü"}')
      for (const answers of [one, other])
        expect(await answers.begin(id)).toEqual({ kind: 'answered', answer: '{"a":"ü"}' })
      expect(await other.begin(randomUUID())).toEqual({ kind: 'begun' })
    })

    it('let an action that failed begin again', async () => {
      const id = randomUUID()
      await one.begin(id)
      await one.forget(id)
      expect(await other.begin(id)).toEqual({ kind: 'begun' })
    })
  })
}
