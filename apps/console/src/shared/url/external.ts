const EXTERNAL = /^(?:https?|mailto|tel):/i

/** "An icon is external if it starts with http, https, mailto or tel" (specification, section 2). Also used for links. */
export const isExternal = (text: string): boolean => EXTERNAL.test(text)

/** Link attributes that hide this page from the target page. */
export const externalLink = { target: '_blank', rel: 'noopener noreferrer' } as const
