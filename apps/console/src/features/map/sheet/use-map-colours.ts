import { useEffect, useState } from 'react'
import { useIsDark } from '../../../shared/screen/appearance.ts'
import { type GroundColours, readGroundColours } from '../paint/ground-colours.ts'
import { type MapColours, readColours } from '../paint/map-colours.ts'
import type { ColourBy } from '../view/colour-by.ts'

/** The map colours in the current theme, and those of its ground; undefined until the theme is applied. */
export function useMapColours(
  by: ColourBy,
): { readonly colours: MapColours; readonly groundColours: GroundColours } | undefined {
  const isDark = useIsDark()
  const [read, setRead] = useState<ReturnType<typeof useMapColours>>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads the colours of the theme
  useEffect(() => setRead({ colours: readColours(by), groundColours: readGroundColours() }), [by, isDark])
  return read
}
