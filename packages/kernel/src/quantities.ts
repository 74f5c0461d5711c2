/**
 * Physical quantities as branded numbers. A brand has no cost at run time and prevents that a temperature is passed as a
 * temperature difference, or an opening ratio as a percentage. Create one with its constructor, read it as a number.
 */

declare const quantity: unique symbol
/** A number that carries the kind of quantity it measures. `Kind` names quantity and unit. */
export type Quantity<Kind extends string> = number & { readonly [quantity]: Kind }

/** Thermodynamic temperature on the Celsius scale, °C. */
export type Celsius = Quantity<'temperature/°C'>
/** Difference of two temperatures, K. */
export type Kelvin = Quantity<'temperature-difference/K'>
/** Differential pressure, Pa. */
export type Pascal = Quantity<'differential-pressure/Pa'>
/** Pressure above atmosphere, Pa. */
export type PascalGauge = Quantity<'gauge-pressure/Pa'>
/** Mass flow, kg/s. */
export type KilogramPerSecond = Quantity<'mass-flow/kg/s'>
/** Volume flow, m³/h. */
export type CubicMetrePerHour = Quantity<'volume-flow/m³/h'>
/** Valve opening from 0 (closed) to 1 (open). */
export type OpeningRatio = Quantity<'opening/1'>
/** Valve opening from 0 (closed) to 100 (open), as operators and devices name it. */
export type OpeningPercent = Quantity<'opening/%'>
/** Heat flow, W. */
export type Watt = Quantity<'heat-flow/W'>
/** Heat conductance, W/K. */
export type WattPerKelvin = Quantity<'conductance/W/K'>
/** Heat capacity, J/K. */
export type JoulePerKelvin = Quantity<'capacity/J/K'>
/** Length, m. */
export type Metre = Quantity<'length/m'>
/** Duration, s. */
export type Second = Quantity<'duration/s'>
/** Valve flow coefficient: m³/h of water at a pressure drop of 1 bar. */
export type FlowCoefficient = Quantity<'kv/m³/h'>
/** Heat or electric energy, kWh. */
export type KilowattHour = Quantity<'energy/kWh'>
/** The same energy in GJ, in which heat is sold: 1 GJ is 277.78 kWh. */
export type Gigajoule = Quantity<'energy/GJ'>
/** Money, yuan. */
export type Yuan = Quantity<'money/yuan'>
/** Price of heat, yuan/GJ. */
export type YuanPerGigajoule = Quantity<'price/yuan/GJ'>
/** Quadratic hydraulic resistance S in Δp = S·ṁ², Pa/(kg/s)². */
export type Resistance = Quantity<'resistance/Pa·s²/kg²'>

export const celsius = (value: number): Celsius => value as Celsius
export const kelvin = (value: number): Kelvin => value as Kelvin
export const pascal = (value: number): Pascal => value as Pascal
export const pascalGauge = (value: number): PascalGauge => value as PascalGauge
export const kilogramPerSecond = (value: number): KilogramPerSecond => value as KilogramPerSecond
export const cubicMetrePerHour = (value: number): CubicMetrePerHour => value as CubicMetrePerHour
export const openingRatio = (value: number): OpeningRatio => value as OpeningRatio
export const openingPercent = (value: number): OpeningPercent => value as OpeningPercent
export const watt = (value: number): Watt => value as Watt
export const wattPerKelvin = (value: number): WattPerKelvin => value as WattPerKelvin
export const joulePerKelvin = (value: number): JoulePerKelvin => value as JoulePerKelvin
export const metre = (value: number): Metre => value as Metre
export const second = (value: number): Second => value as Second
export const flowCoefficient = (value: number): FlowCoefficient => value as FlowCoefficient
export const kilowattHour = (value: number): KilowattHour => value as KilowattHour
export const gigajoule = (value: number): Gigajoule => value as Gigajoule
export const yuan = (value: number): Yuan => value as Yuan
export const yuanPerGigajoule = (value: number): YuanPerGigajoule => value as YuanPerGigajoule
export const resistance = (value: number): Resistance => value as Resistance

/** An opening in per cent as a ratio. */
export const toRatio = (opening: OpeningPercent): OpeningRatio => openingRatio(opening / 100)
/** An opening ratio in per cent. */
export const toPercent = (opening: OpeningRatio): OpeningPercent => openingPercent(opening * 100)

/** Volume flow in m³/h of a mass flow, at the given density in kg/m³. */
export const toVolumeFlow = (flow: KilogramPerSecond, densityKgM3: number): CubicMetrePerHour =>
  cubicMetrePerHour((flow * 3600) / densityKgM3)

/** Mass flow in kg/s of a volume flow, at the given density in kg/m³. */
export const toMassFlow = (flow: CubicMetrePerHour, densityKgM3: number): KilogramPerSecond =>
  kilogramPerSecond((flow * densityKgM3) / 3600)

/** An energy in GJ: 1 kWh is 0.0036 GJ. */
export const toGigajoule = (energy: KilowattHour): Gigajoule => gigajoule(energy * 0.0036)

/** What an amount of heat costs, yuan. */
export const toYuan = (energy: KilowattHour, price: YuanPerGigajoule): Yuan =>
  yuan(toGigajoule(energy) * price)
