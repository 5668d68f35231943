import { describe, expect, it } from 'vitest'
import { parseKafkaAddress } from './address.ts'

describe('the address of Kafka', () => {
  it('needs only a broker', () => {
    expect(parseKafkaAddress('kafka://localhost:9092')).toEqual({
      brokers: ['localhost:9092'],
      tls: false,
      partitions: 4,
      replication: 1,
      retentionHours: 168,
      prefix: '',
    })
  })

  it('has all other settings', () => {
    const url =
      'kafka+ssl://por%40tal:p%3Aw%2F%3F@h1:9092,h2.example:9093,[::1]:9094/' +
      '?sasl=scram-sha-512&partitions=12&replication=3&retentionHours=24&prefix=portal.'
    expect(parseKafkaAddress(url)).toEqual({
      brokers: ['h1:9092', 'h2.example:9093', '[::1]:9094'],
      tls: true,
      sasl: { mechanism: 'scram-sha-512', username: 'por@tal', password: 'p:w/?' },
      partitions: 12,
      replication: 3,
      retentionHours: 24,
      prefix: 'portal.',
    })
  })

  it('is rejected with what is wrong', () => {
    expect(parseKafkaAddress('kafka://u:p@h:1').sasl).toEqual({ mechanism: 'plain', username: 'u', password: 'p' })
    const cases = [
      ['kafka://', 'the brokers are not'],
      ['kafka://host', 'the brokers are not'],
      ['kafka://a:1,,b:2', 'the brokers are not'],
      ['kafka://a:99999', 'the brokers are not'],
      ['kafka:a:1', 'the address is invalid'],
      ['kafka://a:1#x', 'the address is invalid'],
      ['kafka://user@a:1', 'is not USER:PASSWORD'],
      ['kafka://user:%zz@a:1', 'not URL-encoded'],
      ['kafka://a:1?sasl=plain', "'sasl' needs"],
      ['kafka://u:p@a:1?sasl=md5', "'sasl' is not one of plain"],
      ['kafka://a:1?partitions=0', "'partitions' is not 1 to 1000"],
      ['kafka://a:1?partitions=four', "'partitions' is not a whole number"],
      ['kafka://a:1?replication=99', "'replication' is not 1 to 15"],
      ['kafka://a:1?prefix=a%20b', "'prefix' is not letters"],
      ['kafka://a:1?partition=4', 'an unknown setting'],
      ['kafka://a:1?partitions=4&partitions=5', 'twice'],
    ] as const
    for (const [url, message] of cases) expect(() => parseKafkaAddress(url), `of ${url}`).toThrow(message)
  })

  it('appears in no error with its password', () => {
    for (const url of [
      'kafka://u:hunter2@a',
      'kafka://u:hunter2',
      'kafka://u:hunter2/x@a:1',
      'kafka://a:1?hunter2=1',
    ]) {
      let message = ''
      try {
        parseKafkaAddress(url)
      } catch (error) {
        message = String(error)
      }
      expect(message).toContain('BUS_URL')
      expect(message).not.toContain('hunter2')
    }
  })
})
