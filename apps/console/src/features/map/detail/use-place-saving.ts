import { updateZoneGis } from '@isotherm/contract/endpoints/network/zone-gis'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { mapKeys, placeQuery } from '../places/place-queries.ts'
import type { Draft, Drafting } from './use-draft.ts'

interface PlaceSaving {
  readonly save: () => void
  /** Removes the position of the node. */
  readonly remove: () => void
  /** Loads the position that another user saved. Offered after a refusal. */
  readonly reload: () => void
  readonly isBusy: boolean
  readonly error: Error | null
}

/** Saves the position of a draft, with the version that it replaces. */
export function usePlaceSaving(draft: Draft, drafting: Drafting): PlaceSaving {
  const { t } = useTranslation('map')
  const client = useQueryClient()
  const { node, label, version, outline, at } = draft
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (isPlaced: boolean) => {
      const place = isPlaced && at ? { longitudeDeg: at[0], latitudeDeg: at[1], outline } : null
      return call(updateZoneGis, { items: [{ node, version, place }] }, { quiet: true })
    },
    async onSuccess(_answer, isPlaced) {
      await client.invalidateQueries({ queryKey: mapKeys.places })
      showNotice('success', t(isPlaced ? 'form.saved' : 'form.removed', { name: label }))
      drafting.end()
    },
  })
  const reload = async () => {
    const { place, version: present } = await client.fetchQuery({ ...placeQuery(node), staleTime: 0 })
    reset()
    drafting.begin({
      ...draft,
      version: present,
      outline: place?.outline ?? null,
      at: place ? [place.longitudeDeg, place.latitudeDeg] : undefined,
    })
  }
  return {
    save: () => mutate(true),
    remove: () => mutate(false),
    reload: () => void reload(),
    isBusy: isPending,
    error,
  }
}
