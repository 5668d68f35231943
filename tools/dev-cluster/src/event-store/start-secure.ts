import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStandIn } from './start.ts'

/** A stand-in that speaks TLS with a certificate of its own making, and wants a user. */
export const startSecureStandIn = async (login: { readonly user: string; readonly password: string }) => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })
  const standIn = await startStandIn({ tls: { certificateFile, keyFile }, login })
  return {
    urlOf: (user: string, password: string): string =>
      `esdb://${user}:${password}@127.0.0.1:${standIn.port}?tlsCAFile=${encodeURIComponent(certificateFile)}`,
    stop: async (): Promise<void> => {
      await standIn.stop()
      await rm(folder, { recursive: true })
    },
  }
}
