import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnostic',
  'check_up.intro':
    'Vérifie l’adresse publique et le proxy, le disque, l’horloge, les e-mails et les ' +
    'sauvegardes. Ne modifie rien et prend jusqu’à 45 secondes.',
  'check_up.run': 'Lancer le diagnostic',
  'check_up.running': 'Vérification…',
  'check_up.fine': 'Aucun problème trouvé.',
  'check_up.counts': 'Problèmes : {problems}. Avertissements : {warnings}.',
  'check_up.level.ok': 'OK',
  'check_up.level.info': 'Remarque',
  'check_up.level.warning': 'Avertissement',
  'check_up.level.problem': 'Problème',
  'check_up.place.options': 'Dans le fichier d’options',
  'check_up.place.commands': 'Sur la machine du service',
  'check_up.is.address': 'Adresse publique',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Adresse des clients',
  'check_up.is.host': 'En-tête Host',
  'check_up.is.request_buffering': 'Mise en tampon des envois',
  'check_up.is.body_size': 'Taille des envois',
  'check_up.is.response_buffering': 'Mise en tampon des téléchargements',
  'check_up.is.timeouts': 'Délais d’attente',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Horloge',
  'check_up.is.disk_speed': 'Vitesse du disque',
  'check_up.is.disk_space': 'Espace disque',
  'check_up.is.permissions': 'Droits des fichiers',
  'check_up.is.email': 'Serveur de messagerie',
  'check_up.is.backup': 'Dernière sauvegarde',
  'check_up.is.verify': 'Dernière vérification des données',
} as const satisfies Same<typeof english>
