/** What stands where a secret of an address is not shown. */
export const HIDDEN = '***'

const HTTP = /^https?:\/\//i

const hideValue = (part: string): string => {
  const equals = part.indexOf('=')
  return equals < 0 ? HIDDEN : `${part.slice(0, equals)}=${HIDDEN}`
}

/**
 * An HTTP address without what may be a secret: the values of its query, where receivers of messages carry theirs,
 * the name and password before its host, and its fragment. Any other text is left as it is.
 */
export function withoutUrlSecrets(text: string): string {
  if (!HTTP.test(text)) return text
  const [address = ''] = text.split('#')
  const question = address.indexOf('?')
  const place = question < 0 ? address : address.slice(0, question)
  const query = question < 0 ? '' : address.slice(question + 1)
  const named = place.replace(/^(?<scheme>[^:]+:\/\/)[^/\\]*@/, `$<scheme>${HIDDEN}@`)
  return query === '' ? named : `${named}?${query.split('&').map(hideValue).join('&')}`
}
