import { expect, test } from 'vitest'
import { judgeCertificate } from './judge-certificate.ts'

const gateway = { tenant: 'demo', gateway: 'n1' }

test.each<[string, boolean, string]>([
  ['CRL_HAS_EXPIRED', true, 'unchecked-certificate'],
  ['CRL_NOT_YET_VALID', true, 'unchecked-certificate'],
  // An intermediate authority, which the device sends, has an outdated list too.
  ['CRL_HAS_EXPIRED', false, 'unchecked-certificate'],
  ['UNABLE_TO_GET_CRL', true, 'unchecked-certificate'],
  ['UNABLE_TO_GET_CRL', false, 'untrusted-certificate'],
  // A stranger has named its own authority as one of the broker is named.
  ['CRL_SIGNATURE_FAILURE', true, 'untrusted-certificate'],
  ['CERT_REVOKED', true, 'revoked-certificate'],
])('%s, with an authority that is known: %s, is reported as %s', (fault, isAuthorityKnown, expected) => {
  const certificate = { name: 'demo/n1', fault, isAuthorityKnown }
  expect(judgeCertificate(gateway, { isEncrypted: true, certificate }, true)).toBe(expected)
})
