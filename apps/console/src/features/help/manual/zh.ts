/** The chapters in Chinese by path. */
export const files = import.meta.glob<string>('../../../../../../docs/manual/zh/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})
