import { createCipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { readRawMember } from './raw-member.ts'
import {
  decryptOnenetPush,
  isSame,
  signCtwingCall,
  signHuaweiCall,
  signIotdaPush,
  signOnenetPush,
  toOnenetToken,
} from './signatures.ts'

const AK = 'QTWAOYTTINDUT2QVKYUC'
const SK = 'MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc'
const VPCS = 'https://service.region.example.com/v1/77b6a44cba5143ab91d13ab9a8ff44fd/vpcs'
const headers = { 'content-type': 'application/json', 'x-sdk-date': '20191115T033655Z' }

// The example of Huawei's document "API request signing", and the test of its SDK for derived keys (TestAKSKSigner).
test('Huawei: the published signatures, with the key itself and with a derived one', () => {
  const query = '?limit=2&marker=13551d6b-755d-4757-b956-536f674975c0'
  const call = { method: 'GET', url: new URL(`${VPCS}${query}`), headers, body: '' }
  expect(signHuaweiCall(call, { accessKey: AK, secretKey: SK })).toBe(
    `SDK-HMAC-SHA256 Access=${AK}, SignedHeaders=content-type;host;x-sdk-date, Signature=7be6668032f70418fcc22abc52071e57aff61b84a1d2381bb430d6870f4f6ebe`,
  )
  const plain = { method: 'GET', url: new URL(VPCS), headers, body: '' }
  expect(signHuaweiCall(plain, { accessKey: AK, secretKey: SK, scope: 'region-id-1/service' })).toBe(
    `V11-HMAC-SHA256 Credential=${AK}/20191115/region-id-1/service, SignedHeaders=content-type;host;x-sdk-date, Signature=34d69dec633c079bba13e0f72d9788b9431e0291b4a563a3e801c46d10750e29`,
  )
})

// No platform publishes a value for these: they were computed by OpenSSL from the documents' rules.
test('OneNET and CTWing: signatures by the rules of their documents', () => {
  expect(
    toOnenetToken({
      version: '2018-10-31',
      res: 'products/123123',
      accessKey: 'YWNjZXNzIGtleSBvZiB0aGUgcHJvZHVjdA==',
      et: 1_537_255_523,
    }),
  ).toBe(
    'version=2018-10-31&res=products%2F123123&et=1537255523&method=sha256&sign=qXTVp%2BYDQQMEp%2B9smZa55hGVOB9M1ojXybRQaW7Cp1Y%3D',
  )
  expect(signOnenetPush('token', 'abcdefgh', '{"type":1}')).toBe('8TWeN795hR27xT4xx+lpCQ==')
  const keys = { appKey: 'appKey1', appSecret: 'appSecret1' }
  expect(signCtwingCall(keys, 1_650_554_828_842, { productId: '1', MasterKey: 'm' }, '{"a":1}')).toBe(
    'aEKEwExw294KAUprS0uhlIvxF/M=',
  )
  expect(signIotdaPush('token', '1700000000000', 'abc')).toBe(
    '99a7e7cffd9dbda1bc9a4135b76ce361e580152ca5731c8f09113fd29bfe0bc3',
  )
})

test('signatures are equal only if all characters are', () => {
  expect([isSame('abc', 'abc'), isSame('abc', 'abd'), isSame('', 'abc'), isSame('abcd', 'abc')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('OneNET: a message of the secure mode is only decrypted with its key', () => {
  const [key, other] = ['0123456789abcdef', 'fedcba9876543210']
  const cipher = createCipheriv('aes-128-cbc', key, key)
  const text = cipher.update('{"温度":21.5}', 'utf8', 'base64') + cipher.final('base64')
  expect(decryptOnenetPush(key, text)).toBe('{"温度":21.5}')
  expect(decryptOnenetPush(other, text)).not.toBe('{"温度":21.5}')
  expect(decryptOnenetPush(key, 'not Base64 of a block')).toBeUndefined()
})

test('a member is returned as its unchanged text, whatever kind of members precede it', () => {
  const value = '{ "b" : [1, "}"],"a\\"":{"msg":1} }'
  expect(readRawMember(`{"x":"msg","n":-1.5 , "s":{"msg":2},"msg": ${value} ,"nonce":"1"}`, 'msg')).toBe(
    value,
  )
  expect(readRawMember('{"msg":"text"}', 'msg')).toBeUndefined()
  expect(readRawMember('{"msg":{"a":1', 'msg')).toBeUndefined()
  expect(readRawMember('[]', 'msg')).toBeUndefined()
})

test('a text with many spaces is read in linear time', () => {
  const spaces = ' '.repeat(200_000)
  const from = performance.now()
  expect(readRawMember(`{${spaces}"msg":{"a":1}${spaces}}`, 'msg')).toBe('{"a":1}')
  expect(readRawMember(`{${spaces}`, 'msg')).toBeUndefined()
  expect(performance.now() - from).toBeLessThan(1_000)
})
