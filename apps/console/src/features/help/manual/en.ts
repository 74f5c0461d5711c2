/** The chapters in English by path. */
export const files = import.meta.glob<string>('../../../../../../docs/manual/en/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})
