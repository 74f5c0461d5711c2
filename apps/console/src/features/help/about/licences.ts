const files = import.meta.glob<string>('../../../../../../docs/reference/licences.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** The page of licences that `npm run reference` writes from package-lock.json: Markdown with one table. */
export const licences = Object.values(files).join('')
