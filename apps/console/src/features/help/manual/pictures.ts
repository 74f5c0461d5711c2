const files = import.meta.glob<string>('../../../../../../docs/manual/images/*', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Addresses of the pictures in the built console, by file name. */
const pictures: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, url]) => [path.split('/').at(-1) ?? path, url]),
)

/** The address of a picture that a chapter names as `../images/name.webp`; undefined if there is none. */
export const findPicture = (href: string): string | undefined => pictures.get(href.split('/').at(-1) ?? href)
