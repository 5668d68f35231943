import { describe, expect, it } from 'vitest'
import { deliveryReasons, explainDelivery } from './delivery-reasons.ts'
import { deliveryStatuses, outcomeStates } from './notification.ts'

describe('the explanation of a delivery', () => {
  it('is one or two sentences for every status', () => {
    for (const status of deliveryStatuses) expect(explainDelivery(status)).toMatch(/^[A-Z].*\.$/)
  })

  it('has a sentence of its own for every reason', () => {
    const usual = outcomeStates.map((status) => explainDelivery(status))
    const own = Object.values(deliveryReasons).filter((reason) => {
      const said = new Set(outcomeStates.map((status) => explainDelivery(status, reason)))
      return said.size === 1 && [...said].every((text) => /^[A-Z].*\.$/.test(text) && !usual.includes(text))
    })
    expect(own).toEqual(Object.values(deliveryReasons))
  })

  it('of a failure says what to do', () => {
    const { providerUnavailable, noAnswer, noAnswerInTime, notHandedOver } = deliveryReasons
    for (const reason of [providerUnavailable, noAnswer, noAnswerInTime, notHandedOver])
      expect(explainDelivery('failed', reason)).toMatch(/resend it/i)
  })

  it('names an unknown code of the provider', () => {
    expect(explainDelivery('failed', 'teapot')).toBe(
      'It is in the inbox. The push service rejected it (teapot). Resend it.',
    )
    expect(explainDelivery('skipped', 'constructor')).toBe(explainDelivery('skipped'))
  })
})
