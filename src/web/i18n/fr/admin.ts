import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/admin.ts'
import { acts } from './admin-events.ts'
import { settings } from './admin-settings.ts'
import { checkUp } from './check-up.ts'
import { disk } from './disk.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...acts,
  ...settings,
  ...checkUp,
  ...disk,
  'about.licences': 'Licences',
  'about.licences_text': 'Ce service contient le travail d’autres personnes, sous ces licences.',
  'about.version': 'Version {version}, sur Node {runtime}.',

  'admin.tab.audit': 'Journal d’audit',
  'admin.created': 'Création',
  'admin.as.json': 'Télécharger en JSON',
  'admin.filters': 'Filtres',
  'admin.tab.overview': 'Vue d’ensemble',
  'admin.tab.settings': 'Paramètres',
  'admin.tab.shares': 'Tous les partages',
  'admin.title': 'Administration',
  'admin.tab.users': 'Comptes',

  'audit.event': 'Événement',
  'audit.actor': 'Auteur (e-mail)',
  'audit.is.anonymous': 'Une personne inconnue',
  'audit.done': 'Réussi',
  'audit.follow': 'Rechercher les nouvelles entrées',
  'audit.fresh': ['{n} nouvelle entrée – Afficher', '{n} nouvelles entrées – Afficher'],
  'audit.is.guest': 'Un invité',
  'audit.is.operator': 'L’exploitant',
  'audit.refused': 'Refusé',
  'audit.result': 'Résultat',
  'audit.since': 'À partir du (jour)',
  'audit.is.system': 'Le service',
  'audit.target': 'Cible (ID ou e-mail)',
  'audit.until': 'Avant le (jour)',

  'bulk.all': 'Sélectionner tous les comptes affichés',
  'bulk.chosen': ['{n} compte sélectionné', '{n} comptes sélectionnés'],
  'act.delete': ['Supprimer {n} compte', 'Supprimer {n} comptes'],
  'act.delete_text': 'Les comptes seront supprimés définitivement. Cette action est irréversible.',
  'act.disable': ['Désactiver {n} compte', 'Désactiver {n} comptes'],
  'act.disable_already': 'déjà désactivé',
  'act.disable_text': 'Ferme leurs sessions et masque leurs liens. Rien n’est supprimé.',
  'bulk.done': 'terminé',
  'act.enable': ['Réactiver {n} compte', 'Réactiver {n} comptes'],
  'act.enable_already': 'déjà actif',
  'act.enable_text': 'La connexion est de nouveau possible et leurs liens fonctionnent à nouveau.',
  'bulk.last': 'ignoré : c’est le dernier administrateur',
  'bulk.own': 'ignoré : c’est le vôtre',
  'bulk.pick': 'Sélectionner {name}',
  'bulk.type': 'Pour confirmer, saisissez le nombre de comptes : {n}',

  'all_shares.delete_text':
    '« {name} », appartenant à {owner}, et ses fichiers ({size}) seront supprimés ' +
    'définitivement. Son lien cessera de fonctionner.',
  'all_shares.delete_title': 'Supprimer ce partage ?',
  'all_shares.empty': 'Aucun partage pour le moment.',

  'overview.active_shares': 'Partages actifs',
  'overview.drafts': ['{n} téléversement inachevé', '{n} téléversements inachevés'],
  'overview.fine': 'Tout fonctionne.',
  'overview.free': 'Espace libre',
  'overview.largest': 'Plus gros comptes',
  'overview.nothing_stored': 'Rien n’est stocké pour le moment.',
  'overview.of_all': 'sur {all}',
  'overview.of_disk': '{part} du disque',
  'overview.open_requests': 'Demandes de fichiers ouvertes',

  'chart.date': 'Jour',
  'chart.day': '{title} : jour',
  'chart.empty': 'Rien à afficher pour le moment. Le graphique s’enrichit jour après jour.',
  'chart.ends': 'À la fin de chaque jour',
  'chart.grown': '{size} de plus que le {day}',
  'chart.moved': '{received} reçus, {sent} envoyés',
  'chart.numbers': 'Afficher les chiffres',
  'chart.key.received': 'Reçu',
  'chart.same': 'Inchangé depuis le {day}',
  'chart.key.sent': 'Envoyé',
  'chart.shrunk': '{size} de moins que le {day}',
  'chart.since': 'Enregistré depuis le {day}',
  'chart.storage': 'Stockage, 30 derniers jours',
  'chart.traffic': 'Trafic, 30 derniers jours',
  'chart.unknown': 'Non enregistré',
  'chart.utc': 'Jours en UTC.',

  'problem.clock': 'L’horloge est peut-être fausse',
  'problem.clock_advice':
    'Elle a avancé de {length}. Rien n’est supprimé avant le {time}. Si elle est à l’heure, ' +
    'exécutez cette commande :',
  'problem.is.damaged': [
    '{n} endroit endommagé dans les fichiers stockés',
    '{n} endroits endommagés dans les fichiers stockés',
  ],
  'problem.is.damaged_advice':
    'Listez les fichiers avec cette commande et restaurez-les depuis une sauvegarde. ' +
    'Exécutez-la ensuite avec --restart.',
  'problem.is.database_disk_advice':
    'Espace libre : {free}. Les téléversements s’arrêtent en dessous de {floor}. Libérez de ' +
    'l’espace sur le disque de la base de données.',
  'problem.is.database_disk_full': 'Le disque de la base de données est plein',
  'problem.is.database_disk_low': 'Le disque de la base de données est presque plein',
  'problem.is.disk_advice':
    'Espace libre : {free}. Les téléversements s’arrêtent en dessous de {floor}. Supprimez des ' +
    'partages ou ajoutez de l’espace disque.',
  'problem.is.disk_full': 'Le disque de stockage est plein',
  'problem.is.disk_low': 'Le disque de stockage est presque plein',
  'problem.failing': [
    '{n} élément n’a pas pu être supprimé',
    '{n} éléments n’ont pas pu être supprimés',
  ],
  'problem.jobs': ['{n} tâche de fond a échoué', '{n} tâches de fond ont échoué'],
  'problem.jobs_advice':
    'Le service réessaie. Si l’échec persiste, consultez le journal du service.',
  'problem.mail_settings': 'Paramètres d’e-mail',
  'problem.mails': ['{n} e-mail n’a pas pu être remis', '{n} e-mails n’ont pas pu être remis'],
  'problem.mails_advice': 'Lisez la réponse du serveur de messagerie, puis réessayez.',
  'problem.is.stuck': [
    '{n} partage ou dépôt supprimé est encore sur le disque',
    '{n} partages ou dépôts supprimés sont encore sur le disque',
  ],
  'problem.is.stuck_advice': 'Le service réessaie. Vérifiez le disque. Dernière erreur : {reason}',
  'problem.title': ['{n} problème', '{n} problèmes'],
  'problem.is.unknown': [
    '{n} dossier du stockage est inconnu de la base de données',
    '{n} dossiers du stockage sont inconnus de la base de données',
  ],
  'problem.is.unknown_advice':
    'La base de données est peut-être plus ancienne que les fichiers. Restaurez-en une ' +
    'sauvegarde plus récente. Rien n’est supprimé.',

  'running.download': ['Téléchargement de « {name} »', '{n} téléchargements de « {name} »'],
  'running.guest': 'Téléversement d’un invité',
  'running.nothing': 'Aucun téléversement ni téléchargement.',
  'running.received': ['Téléchargement de fichiers reçus', '{n} téléchargements de fichiers reçus'],
  'running.so_far': '{size} pour l’instant',
  'running.upload': 'Téléversement de « {name} »',

  'status.answer': 'Dernière erreur',
  'status.disk': 'Disque',
  'status.duration': 'Durée',
  'status.embedded': '{size}, gérée par le service',
  'status.findings': '{checked} vérifiés, endroits endommagés : {n}',
  'status.floor': 'Espace gardé libre sur le disque',
  'status.internals': 'Détails techniques',
  'status.job': 'Tâche',
  'status.jobs': 'Tâches',
  'status.last_run': 'Dernière exécution',
  'status.mail_off': 'L’e-mail n’est pas configuré',
  'status.mail_queue': ['{n} e-mail en attente', '{n} e-mails en attente'],
  'status.ms': '{n} ms',
  'status.not_yet': 'Pas encore',
  'status.now': 'En ce moment',
  'status.refresh': 'Actualiser',
  'status.retried': 'Nouvelle tentative d’envoi de l’e-mail à {to}.',
  'status.stock': 'Stocké',
  'status.to': 'À',
  'status.uptime': 'Démarrage',
  'status.version': 'Version',

  'storage.drafts': [
    '{n} téléversement inachevé. Il sera retiré automatiquement si plus rien n’est envoyé.',
    '{n} téléversements inachevés. Ils seront retirés automatiquement si plus rien n’est envoyé.',
  ],
  'storage.list': 'Afficher les téléversements inachevés',

  'users.add': 'Ajouter un compte',
  'users.add_mail':
    'Aucun e-mail n’est envoyé. Communiquez à la personne le mot de passe et l’adresse de cette ' +
    'page.',
  'users.access': 'Accès',
  'users.address_voids':
    'Une nouvelle adresse annule le lien d’invitation. Invitez de nouveau la personne ensuite.',
  'users.admin': 'Administrateur',
  'users.admin_label': 'Peut administrer ce service',
  'users.again_hint': 'L’ancien lien cesse de fonctionner.',
  'users.created': 'Compte créé pour {name}.',
  'users.danger': 'Zone de danger',
  'users.delete': 'Supprimer le compte…',
  'users.delete_all': 'Les supprimer avec le compte',
  'users.delete_keep': 'Les confier à {email}',
  'users.delete_text':
    'Le compte {name} sera supprimé définitivement. Cette action est irréversible.',
  'users.delete_title': 'Supprimer le compte {name} ?',
  'users.delete_type': 'Pour confirmer, saisissez le nom : {name}',
  'users.delete_what': 'Que faire des partages et des demandes de fichiers ({size}) ?',
  'users.disable': 'Désactiver',
  'users.disable_hint': 'Ferme ses sessions et masque ses liens. Rien n’est supprimé.',
  'users.is_disabled': 'Désactivé',
  'users.enable': 'Réactiver',
  'users.factor_hint': 'En cas de perte du téléphone. Ferme aussi toutes les sessions.',
  'users.factor_on': 'Avec validation en deux étapes',
  'users.factor_reset': 'Réinitialiser la validation en deux étapes',
  'users.factor_was_reset': '{name} se connecte désormais avec son seul mot de passe.',
  'users.generate': 'Générer un mot de passe',
  'users.hand_over': 'Aucun e-mail n’a été envoyé. Envoyez vous-même ce lien à {email}.',
  'users.invite': 'Inviter',
  'users.invite_again': 'Inviter de nouveau',
  'users.invite_hint': 'Sinon, la personne reçoit un lien et choisit le mot de passe.',
  'users.is_invited': 'Invitation envoyée',
  'users.invited_title': 'Invitation pour {name}',
  'users.last':
    'C’est le dernier administrateur. Impossible de le désactiver, de le supprimer ou de lui ' +
    'retirer ce rôle.',
  'users.last_login': 'Dernière connexion',
  'users.link': 'Créer un lien de réinitialisation',
  'users.link_ends':
    'Utilisable une fois, jusqu’au {end}. Toute personne qui a le lien peut définir le mot de ' +
    'passe.',
  'users.link_hint': 'Valable une heure.',
  'users.link_title': 'Lien de réinitialisation du mot de passe pour {name}',
  'users.mailed': 'Un e-mail contenant le lien est en route vers {email}.',
  'users.manage': 'Gérer',
  'users.manage_one': 'Gérer {name}',
  'users.never': 'Jamais',
  'users.own': 'C’est vous.',
  'users.own_factor': 'Désactivez votre propre validation en deux étapes dans votre compte.',
  'users.quota_own': 'Limite personnalisée',
  'users.quota_standard': 'Par défaut ({size})',
  'users.search': 'Rechercher un compte',
  'users.set_password': 'Définir vous-même le mot de passe',
  'users.space': 'Espace',
  'users.space_of': '{used} sur {all}',
  'users.uses': 'Utilisé : {size}',
  'admin.tab.providers': 'Fournisseurs',
  'providers.add': 'Ajouter un fournisseur',
  'providers.admin_group': 'Groupe des administrateurs',
  'providers.admin_group_hint':
    'Les autres personnes qui se connectent par ce fournisseur perdent l’administration. ' +
    'Laissez vide pour décider vous-même.',
  'providers.client_secret': 'Secret du client',
  'providers.creation': 'Comptes à la première connexion',
  'providers.creation.all': 'Pour tous',
  'providers.creation.domains': 'Pour certains domaines',
  'providers.creation.off': 'Pour personne',
  'providers.domains': 'Domaines, séparés par des virgules',
  'providers.group_quotas': 'Quotas par groupe',
  'providers.group_quotas_hint':
    'Un par ligne, en Go : staff = 50. Le plus grand s’applique, et 0 est illimité.',
  'providers.groups_claim': 'Claim contenant les groupes',
  'providers.id': 'ID, partie de l’URI de redirection (a–z, 0–9, -)',
  'providers.issuer': 'URL de l’émetteur',
  'providers.linking': 'Associer les comptes existants par e-mail',
  'providers.linking.all': 'Tous',
  'providers.linking.no_password': 'Ceux sans mot de passe',
  'providers.linking.off': 'Jamais',
  'providers.linking_hint':
    'Les utilisateurs peuvent changer leur adresse. N’associez des comptes avec mot de passe ' +
    'que si vous faites confiance à tous.',
  'providers.none': 'Aucun fournisseur de connexion pour l’instant.',
  'providers.remove_text':
    'Plus personne ne pourra se connecter par lui, et les sessions qu’il a ouvertes prennent ' +
    'fin.',
  'providers.secret_hint': 'Laissez vide pour le conserver.',
  'providers.test': 'Tester',
  'providers.test_sign_in': 'Se connecter pour tester',
  'providers.test_title': 'Test de « {name} »',
  'providers.text': 'Connexion par OpenID Connect, par exemple Keycloak, Authentik ou Google.',
  'providers.trusts_email': 'Faire confiance aux adresses e-mail qu’il ne dit pas vérifiées',
  'providers.trusts_second_factor': 'Ses connexions valent une connexion en deux étapes',
  'users.approve': 'Approuver',
  'users.approve_one': 'Approuver {name}',
  'users.approved': 'Compte approuvé : {name}',
  'users.decline': 'Refuser',
  'users.decline_one': 'Refuser {name}',
  'users.declined': 'Demande refusée : {name}',
  'users.is_waiting': 'En attente d’approbation',
  'users.waiting': ['{n} personne attend l’approbation', '{n} personnes attendent l’approbation'],
  'error.no_other_sign_in':
    'Plus personne ne pourrait se connecter. Ajoutez d’abord un fournisseur et testez-le.',
} as const satisfies Same<typeof english>
