import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** Paths of files in PEM; undefined ones are not used. */
export interface TlsFiles {
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  /** Authorities that sign the certificate of the broker. */
  readonly authorities?: string | undefined
}

/**
 * Reads the files as options of a TLS connection. Throws if one cannot be read, or if OpenSSL cannot use them, such as a new
 * certificate beside the old key: mqtt.js would throw in a timer, which nobody can catch.
 */
export function readTlsOptions({ certificate, key, authorities }: TlsFiles) {
  const options = {
    ...(certificate === undefined ? {} : { cert: readFileSync(certificate) }),
    ...(key === undefined ? {} : { key: readFileSync(key) }),
    ...(authorities === undefined ? {} : { ca: readFileSync(authorities) }),
  }
  createSecureContext(options)
  return options
}
