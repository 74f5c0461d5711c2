import { useEffect, useState } from 'react'
import { useIsDark } from '../../../shared/screen/appearance.ts'
import { type MapColours, readColours } from '../paint/map-colours.ts'
import type { ColourBy } from '../view/colour-by.ts'

/** The map colours in the current theme; undefined until the theme is applied. */
export function useMapColours(by: ColourBy): MapColours | undefined {
  const isDark = useIsDark()
  const [colours, setColours] = useState<MapColours>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads the colours of the theme
  useEffect(() => setColours(readColours(by)), [by, isDark])
  return colours
}
