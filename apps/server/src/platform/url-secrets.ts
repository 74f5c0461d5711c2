/** Replaces a hidden secret of a URL. */
export const HIDDEN = '***'

const HTTP = /^https?:\/\//i

const hideValue = (part: string): string => {
  const equals = part.indexOf('=')
  return equals < 0 ? HIDDEN : `${part.slice(0, equals)}=${HIDDEN}`
}

/** Whether a path segment looks like a token: webhook receivers also put tokens into the path. */
const isToken = (segment: string): boolean =>
  segment.length >= 32 ||
  (segment.length >= 16 && (/\d/.test(segment) || (/[a-z]/.test(segment) && /[A-Z]/.test(segment))))

const hideTokens = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isToken(segment) ? HIDDEN : segment))
    .join('/')

/**
 * An HTTP URL without possible secrets. Hides the values of the query, long tokens in the path and the user info, and
 * removes the fragment. Any other text stays unchanged.
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
