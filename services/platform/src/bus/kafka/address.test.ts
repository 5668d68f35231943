import { describe, expect, it } from 'vitest'
import { parseKafkaAddress } from './address.ts'

describe('the address of Kafka', () => {
  it('needs no more than a broker', () => {
    expect(parseKafkaAddress('kafka://localhost:9092')).toEqual({
      brokers: ['localhost:9092'],
      tls: false,
      partitions: 4,
      replication: 1,
      retentionHours: 168,
      prefix: '',
    })
  })

  it('holds everything else, too', () => {
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

  it('takes a password without a mechanism as plain', () => {
    expect(parseKafkaAddress('kafka://u:p@h:1').sasl).toEqual({ mechanism: 'plain', username: 'u', password: 'p' })
  })

  it.each([
    ['kafka://', 'the brokers are not'],
    ['kafka://host', 'the brokers are not'],
    ['kafka://a:1,,b:2', 'the brokers are not'],
    ['kafka://a:99999', 'the brokers are not'],
    ['kafka:a:1', 'cannot be read'],
    ['kafka://a:1#x', 'cannot be read'],
    ['kafka://user@a:1', 'stand USER:PASSWORD'],
    ['kafka://user:%zz@a:1', 'not encoded'],
    ['kafka://a:1?sasl=plain', "'sasl' needs"],
    ['kafka://u:p@a:1?sasl=md5', "'sasl' is not one of plain"],
    ['kafka://a:1?partitions=0', "'partitions' is not 1 to 1000"],
    ['kafka://a:1?partitions=four', "'partitions' is not a whole number"],
    ['kafka://a:1?replication=99', "'replication' is not 1 to 15"],
    ['kafka://a:1?prefix=a%20b', "'prefix' is not letters"],
    ['kafka://a:1?partition=4', 'a setting that nobody knows'],
    ['kafka://a:1?partitions=4&partitions=5', 'twice'],
  ])('says what is wrong with %s', (url, message) => {
    expect(() => parseKafkaAddress(url)).toThrow(message)
  })

  it('repeats no password, wherever it stands', () => {
    for (const url of [
      'kafka://u:hunter2@a',
      'kafka://u:hunter2',
      'kafka://u:hunter2/x@a:1',
      'kafka://a:1?hunter2=1',
    ]) {
      let said = ''
      try {
        parseKafkaAddress(url)
      } catch (error) {
        said = String(error)
      }
      expect(said).toContain('BUS_URL')
      expect(said).not.toContain('hunter2')
    }
  })
})
