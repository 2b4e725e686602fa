/** A QR code (ISO/IEC 18004) as an SVG image without fixed size; for texts of up to 2,900 bytes. */
export async function renderQrCode(text: string): Promise<string> {
  const { renderSVG } = await import('uqr')
  // Readers need four light modules around it.
  return renderSVG(text, { border: 4 })
}
