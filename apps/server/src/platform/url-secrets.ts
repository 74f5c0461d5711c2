/** What stands where a secret of an address is not shown. */
export const HIDDEN = '***'

const HTTP = /^https?:\/\//i

const hideValue = (part: string): string => {
  const equals = part.indexOf('=')
  return equals < 0 ? HIDDEN : `${part.slice(0, equals)}=${HIDDEN}`
}

/** A part of a path that is no word: receivers of messages put their tokens there too. */
const isToken = (segment: string): boolean =>
  segment.length >= 32 ||
  (segment.length >= 16 && (/\d/.test(segment) || (/[a-z]/.test(segment) && /[A-Z]/.test(segment))))

const hideTokens = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isToken(segment) ? HIDDEN : segment))
    .join('/')

/**
 * An HTTP address without what may be a secret: the values of its query and long tokens in its path, where receivers
 * of messages carry theirs, the name and password before its host, and its fragment. Any other text is left as it is.
 */
export function withoutUrlSecrets(text: string): string {
  if (!HTTP.test(text)) return text
  const [address = ''] = text.split('#')
  const question = address.indexOf('?')
  const place = question < 0 ? address : address.slice(0, question)
  const query = question < 0 ? '' : address.slice(question + 1)
  const named = place.replace(/^(?<scheme>[^:]+:\/\/)[^/\\]*@/, `$<scheme>${HIDDEN}@`)
  const shown = named.replace(/^([^:]+:\/\/[^/\\]*)(.*)$/s, (_, origin, path) => origin + hideTokens(path))
  return query === '' ? shown : `${shown}?${query.split('&').map(hideValue).join('&')}`
}
