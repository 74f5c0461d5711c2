import { useEffect, useState } from 'react'
import { useIsDark } from '../../../shared/ui/appearance.ts'
import { type MapColours, readColours } from '../paint/map-colours.ts'
import type { ColourBy } from '../view/colour-by.ts'

/** The colours for the map in the theme in force; absent until the page has that theme. */
export function useMapColours(by: ColourBy): MapColours | undefined {
  const isDark = useIsDark()
  const [colours, setColours] = useState<MapColours>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read are the colours of the theme
  useEffect(() => setColours(readColours(by)), [by, isDark])
  return colours
}
