import type { TreeHit } from '@isotherm/contract/endpoints/tree'

const found = import.meta.glob<(hit: TreeHit) => Promise<void>>('../../features/network/reveal.ts', {
  eager: true,
  import: 'revealNode',
})

export async function revealNode(hit: TreeHit): Promise<void> {
  const [reveal] = Object.values(found)
  if (!reveal) throw new Error('the tree cannot show a node yet')
  await reveal(hit)
}
