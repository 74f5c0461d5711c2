import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority, type TestCertificate } from '@isotherm/engines/broker/certificates.testkit'

/** A folder with the files of the port with TLS, and the authority that signed them. */
export function createTlsFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-tls-'))
  const authority = createAuthority('authority of the company')
  const pathOf = (name: string) => join(folder, name)
  const write = (name: string, text: string) => {
    // Replaces the file as a program that renews certificates does.
    writeFileSync(pathOf(`${name}.new`), text, { mode: 0o600 })
    renameSync(pathOf(`${name}.new`), pathOf(name))
  }
  const writeServer = ({ cert, key }: TestCertificate) => {
    write('server.pem', cert)
    write('server.key', key)
  }
  writeServer(authority.issue('broker'))
  write('clients.pem', authority.cert)
  return {
    authority,
    pathOf,
    write,
    writeServer,
    /** Settings of the server with these files. */
    settings: {
      ISOTHERM_MQTT_TLS_PORT: '0',
      ISOTHERM_MQTT_TLS_CERTIFICATE: pathOf('server.pem'),
      ISOTHERM_MQTT_TLS_KEY: pathOf('server.key'),
      ISOTHERM_MQTT_CLIENT_CA: pathOf('clients.pem'),
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

export type TlsFolder = ReturnType<typeof createTlsFolder>
