import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Tester à nouveau',
  'disk.busy': 'Test du disque en cours…',
  'disk.is.different':
    'Le disque a renvoyé d’autres octets que ceux écrits. Il est peut-être défaillant : n’y ' +
    'stockez aucun fichier et faites-le vérifier.',
  'disk.is.failed': 'Le test du disque a échoué. Le système indique :',
  'disk.fine':
    'Vitesse du disque : {rate}/s, suffisante pour un réseau de {network}. {free} libres sur ' +
    '{total}.',
  'disk.is.full':
    'Espace disque insuffisant : {free} libres, moins que nécessaire pour les téléversements. ' +
    'Libérez de l’espace, ou réglez STORAGE_DIR sur un dossier d’un autre disque.',
  'disk.is.missing':
    'Le dossier de stockage a changé depuis le démarrage du service, et rien n’a été écrit. ' +
    'Vérifiez que son disque est monté.',
  'disk.is.refused':
    'Le service ne peut pas écrire dans son dossier de stockage. Donnez à son utilisateur le ' +
    'droit d’écriture, et vérifiez que le disque n’est pas en lecture seule.',
  'disk.slow':
    'Ce disque est lent, et les téléversements devront l’attendre. Utilisez-en un plus rapide ' +
    'si possible.',
  'disk.slow_sync':
    'Chaque écriture met {ms} ms à atteindre le disque, donc beaucoup de petits fichiers ' +
    'prennent du temps. Utilisez un disque plus rapide si possible.',
  'disk.small': 'Il reste peu d’espace. Les téléversements s’arrêtent à {floor} libres.',
  'disk.test': 'Tester le disque',
} as const satisfies Same<typeof english>
