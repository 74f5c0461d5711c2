import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

type Bytes = string | Uint8Array

const hash = (method: 'md5' | 'sha256', ...parts: readonly Bytes[]): Buffer => {
  const digest = createHash(method)
  for (const part of parts) digest.update(part)
  return digest.digest()
}
const sha256Hex = (text: Bytes): string => hash('sha256', text).toString('hex')

/** Compares two texts in a time that does not depend on where they differ. */
export const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given), hash('sha256', expected))

/** OneNET, a push: Base64 of the MD5 of token, nonce and message, one after the other ("数据推送", 2). */
export const signOnenetPush = (token: string, nonce: string, message: string): string =>
  hash('md5', token, nonce, message).toString('base64')

/**
 * OneNET, secure mode: AES-128-CBC with PKCS7, the key is also the initialization vector. Undefined for a malformed
 * message.
 */
export function decryptOnenetPush(key: string, message: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, key)
    return decipher.update(message, 'base64', 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

export interface OnenetToken {
  readonly version: string
  readonly res: string
  /** Base64. */
  readonly accessKey: string
  /** End of its validity, Unix s. */
  readonly et: number
}

/** OneNET, a call of the API: the value of `Authorization` ("API鉴权"). */
export function toOnenetToken({ version, res, accessKey, et }: OnenetToken): string {
  const method = 'sha256'
  const text = [et, method, res, version].join('\n')
  const sign = createHmac(method, Buffer.from(accessKey, 'base64')).update(text).digest('base64')
  const coded = [res, sign].map((value) => encodeURIComponent(value))
  return `version=${version}&res=${coded[0]}&et=${et}&method=${method}&sign=${coded[1]}`
}

/** CTWing, a call of the API: application and time, the parameters in the order of their names, the body; each with a line end. */
export function signCtwingCall(
  { appKey, appSecret }: { readonly appKey: string; readonly appSecret: string },
  timestamp: number,
  parameters: Readonly<Record<string, string>>,
  body: string,
): string {
  const sorted = Object.keys(parameters).sort()
  const lines = [`application:${appKey}`, `timestamp:${timestamp}`]
  for (const name of sorted) lines.push(`${name}:${parameters[name]}`)
  if (body !== '') lines.push(body)
  return createHmac('sha1', appSecret)
    .update(`${lines.join('\n')}\n`)
    .digest('base64')
}

/** IoTDA, a push: SHA-256 of token, time and nonce in alphabetical order, one after the other, in hexadecimal digits ("使用HTTP/HTTPS转发"). */
export const signIotdaPush = (token: string, timestamp: string, nonce: string): string =>
  sha256Hex([token, timestamp, nonce].sort().join(''))

export interface HuaweiCall {
  readonly method: string
  readonly url: URL
  /** Headers that are signed, without `Host`; `X-Sdk-Date` is one of them. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

export interface HuaweiKeys {
  readonly accessKey: string
  readonly secretKey: string
  /** Region and service, for example `cn-north-4/iotdm`: the key is derived for them, as instances with a domain of their own need it. */
  readonly scope?: string
}

/** Huawei Cloud, a call of an API with AK/SK: the value of `Authorization` (SDK-HMAC-SHA256; V11-HMAC-SHA256 with a scope). */
export function signHuaweiCall(
  { method, url, headers, body }: HuaweiCall,
  { accessKey, secretKey, scope }: HuaweiKeys,
): string {
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const all: Readonly<Record<string, string>> = { ...headers, host: url.host }
  const names = Object.keys(all).sort()
  const canonical = [
    method,
    path.endsWith('/') ? path : `${path}/`,
    query,
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    sha256Hex(body),
  ].join('\n')
  const date = headers['x-sdk-date'] ?? ''
  const signed = names.join(';')
  const sign = (key: string, ...lines: readonly string[]): string =>
    createHmac('sha256', key)
      .update([...lines, sha256Hex(canonical)].join('\n'))
      .digest('hex')
  if (scope === undefined) {
    const signature = sign(secretKey, 'SDK-HMAC-SHA256', date)
    return `SDK-HMAC-SHA256 Access=${accessKey}, SignedHeaders=${signed}, Signature=${signature}`
  }
  const info = `${date.slice(0, 8)}/${scope}`
  const derived = Buffer.from(hkdfSync('sha256', secretKey, accessKey, info, 32)).toString('hex')
  const signature = sign(derived, 'V11-HMAC-SHA256', date, info)
  return `V11-HMAC-SHA256 Credential=${accessKey}/${info}, SignedHeaders=${signed}, Signature=${signature}`
}
